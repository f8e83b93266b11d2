import type { Api, PageFields, PagePath } from "./api.generated.ts";

/** A path of the API. */
export type Path = keyof Api;
/** Kind of caller: a backend with an auth token, or a page with the token of its user. */
export type Caller = "backend" | "page";
/** A path that the caller may call. */
export type PathOf<C extends Caller> = C extends "page" ? PagePath : Path;
/** `data` of a request. A page leaves out what the token says, and cannot send what only backends may. */
export type RequestData<P extends Path, C extends Caller = "backend"> = C extends "page"
  ? P extends PagePath
    ? PageRequest<P>
    : never
  : Api[P]["request"];

/** Request of a page, which differs from that of a backend in some fields. */
type PageRequest<P extends PagePath> = Changed<
  Api[P]["request"],
  Fields<P, "optional">,
  Fields<P, "required">,
  Fields<P, "absent">
>;

/** Paths of the fields of a kind, such as `comments.from`. */
type Fields<P extends PagePath, Kind extends string> =
  PageFields[P] extends Record<Kind, infer Paths extends string> ? Paths : never;

/** A type with other fields, and other fields of its objects and of the items of its lists. */
type Changed<T, Optional extends string, Required extends string, Absent extends string> = [
  Optional | Required | Absent,
] extends [never]
  ? T
  : T extends readonly (infer Item)[]
    ? Changed<Item, Optional, Required, Absent>[]
    : T extends object
      ? {
          [K in keyof T as Unchanged<K, Optional | Required | Absent>]: Changed<
            T[K],
            Below<K, Optional>,
            Below<K, Required>,
            Below<K, Absent>
          >;
        } & {
          [K in keyof T as K extends Optional ? K : never]?: T[K] | undefined;
        } & {
          [K in keyof T as K extends Required ? K : never]-?: Changed<
            Exclude<T[K], undefined>,
            Below<K, Optional>,
            Below<K, Required>,
            Below<K, Absent>
          >;
        }
      : T;

/** The name of a field that is not among the paths. `*` is any further field. */
type Unchanged<K, Paths extends string> = string extends K
  ? "*" extends Paths
    ? never
    : K
  : K extends Paths
    ? never
    : K;

/** The paths below a field, from there. */
type Below<K, Paths extends string> = Paths extends `${K & string}.${infer Rest}` ? Rest : never;
