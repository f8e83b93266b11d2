import { sql } from "./sql.ts";
import type { Queryable } from "./statement.ts";

/** What migrations need of the database. */
export interface Requirements {
  user: string;
  database: string;
  encoding: string;
  /** Schema in which tables are created; null if the search path names none that the user may use. */
  schema: string | null;
  /** Whether migrations were applied in this schema. */
  isInstalled: boolean;
  mayCreateTables: boolean;
  /** Whether the user may create the schema of the job queue, or it exists. */
  mayCreateSchemas: boolean;
}

/** What keeps migrations from being applied, and what the operator should do. */
export interface UnmetRequirement {
  finding: string;
  remedy: string;
}

export async function selectRequirements(database: Queryable): Promise<Requirements> {
  const [found] = await database.run(
    sql<Requirements>`select current_user::text as user, current_database()::text as database,
      current_setting('server_encoding') as encoding, current_schema()::text as schema,
      to_regclass('migrations') is not null as "isInstalled",
      coalesce(has_schema_privilege(current_user, current_schema()::text, 'CREATE'), false) as "mayCreateTables",
      to_regnamespace('pgboss') is not null
        or has_database_privilege(current_user, current_database()::text, 'CREATE') as "mayCreateSchemas"`,
  );
  if (!found) throw new Error("PostgreSQL returned no settings");
  return found;
}

/** Returns what is wrong with the encoding, if anything. */
export function wrongEncoding({ database, encoding }: Requirements): UnmetRequirement | undefined {
  if (encoding === "UTF8") return undefined;
  return {
    finding: `The database ${database} has the encoding ${encoding} instead of UTF8.`,
    remedy: "Create one with `create database … encoding 'UTF8' template template0` and set DATABASE_URL to it.",
  };
}

/** Returns what is wrong with the schema in which tables are created, if anything: backups read `public`. */
export function wrongSchema({ user, database, schema }: Requirements): UnmetRequirement | undefined {
  if (schema === null || schema === "public") return undefined;
  return {
    finding: `The search path of the user ${user} begins with the schema ${schema}, and backups read public only.`,
    remedy: `Run \`alter role "${user}" in database "${database}" set search_path = public\`.`,
  };
}

/** Returns which privilege the user lacks, if any. */
export function missingPrivilege(requirements: Requirements): UnmetRequirement | undefined {
  const { user, database, schema, mayCreateTables, mayCreateSchemas } = requirements;
  if (schema === null) {
    return {
      finding: `The search path of the user ${user} names no schema that it may use.`,
      remedy: `Run \`grant usage, create on schema public to "${user}"\` as the owner of the database.`,
    };
  }
  if (!mayCreateTables) {
    return {
      finding: `The user ${user} may not create tables in the schema ${schema}.`,
      remedy: `Run \`grant create on schema "${schema}" to "${user}"\` as the owner of the database.`,
    };
  }
  if (mayCreateSchemas) return undefined;
  return {
    finding: `The user ${user} may not create schemas in the database ${database}. The job queue has its own.`,
    remedy: `Run \`grant create on database "${database}" to "${user}"\` as the owner of the database.`,
  };
}

/** Throws an error that says what to do if migrations cannot be applied. */
export async function assertRequirements(database: Queryable): Promise<void> {
  const requirements = await selectRequirements(database);
  // A database that was installed in another schema goes on as it is.
  const misplaced = requirements.isInstalled ? undefined : wrongSchema(requirements);
  const unmet = wrongEncoding(requirements) ?? misplaced ?? missingPrivilege(requirements);
  if (unmet) throw new Error(`${unmet.finding} ${unmet.remedy}`);
}
