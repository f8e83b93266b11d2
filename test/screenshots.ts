/** `npm run screenshots` takes the pictures in docs/images, `npm run screenshots -- components` those of components. */
if (process.argv[2] === "components") await import("./packages/stories/screenshots.ts");
else await import("./console/screenshots.ts");
