/** `npm start` runs the example; `npm start -- ARGUMENTS` is the command line itself. */
if (process.argv.length === 2) process.argv.push("demo");
await import("./main.js");

export {};
