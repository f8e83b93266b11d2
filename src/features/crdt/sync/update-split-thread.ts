import { splitUpdate } from "./update-split.ts";

/** Runs in a thread of `update-check.ts`. */
export default splitUpdate;
