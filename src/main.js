#!/usr/bin/env node
import module from "node:module";

/** Oldest version with which the workers of several processes start. */
const OLDEST_NODE = { major: 24, minor: 3 };
/** Time for connections to close. After it, what is still open no longer keeps the process running. */
const EXIT_GRACE_MS = 1_000;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST_NODE.major || (major === OLDEST_NODE.major && minor < OLDEST_NODE.minor)) {
  process.stderr.write(
    `colloquy: Node.js ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or later is needed, and this is ` +
      `${process.versions.node}. Install it from https://nodejs.org, or use the archive of Colloquy that brings ` +
      "its own.\n",
  );
  process.exit(1);
}

// This file has no types and imports the rest only once the cache is on. Stripping types again would add 0.2 s and
// 20 MB to each start, and types in this file would load the stripper, 25 MB, each time. Earlier versions of Node.js
// do not have the function, so it is not imported by its name.
module.enableCompileCache();
const { EXIT_CODES, run } = await import("./commands/run.ts");

process.exitCode = await run();
if (process.exitCode !== EXIT_CODES.success) process.exit();
setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
