import { measureUpdate } from "./update-measure.ts";

/** Runs in a thread of `update-check.ts`. */
export default measureUpdate;
