/** `dustpan sketch`: archives to sketch files. */
import { UserError } from "../../errors.js";
import { type SketchedInput, sketch, sketchLines } from "../../jobs/sketch.js";
import { SHINGLE_WORDS } from "../../sketch/sketch.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import { describeDamage } from "../render-inputs.js";
import type { Session } from "../session.js";
import { bytes, count, duration, paint, printable, type Terminal } from "../terminal.js";

export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  const folder = args.text("output");
  if (args.inputs.length === 0 || folder === undefined) {
    throw new UserError('sketch needs archives and a folder: "dustpan sketch crawl/*.warc.gz -o sketches"');
  }
  const format = args.text("format");
  const making = {
    family: args.choice("functions", ["affine", "rabin"])!,
    words: args.choice("words", ["unicode", "ascii"])!,
    shingleWords: args.integer("shingle-words", 1, 255)!,
  };
  const isUsual = making.family === "affine" && making.words === "unicode" && making.shingleWords === SHINGLE_WORDS;
  const reading = {
    strict: args.has("strict"),
    ...(format !== undefined && { format }),
    ...(!isUsual && { making }),
  };
  const json = args.has("json");
  if (folder === "-") {
    if (json) throw new UserError("sketch -o - writes lines; --json is for a folder");
    const damage = await sketchLines(args.inputs, reading, (lines) => terminal.write(Buffer.from(lines)), context);
    for (const one of damage) terminal.err(describeDamage(terminal, one).join("\n"));
    return;
  }
  const options = { ...reading, folder };
  const inputs = await sketch(
    args.inputs,
    options,
    (sketched) => {
      if (!json) terminal.out(describe(terminal, sketched));
    },
    context,
  );
  if (json) printDocument(terminal, "dustpan-sketch", { folder, inputs });
}

function describe(terminal: Terminal, sketched: SketchedInput): string {
  const name = paint(terminal, "bold", printable(sketched.name));
  if (sketched.outcome === "known") return `${name}: ${printable(sketched.file)} is there already`;
  const { seconds } = sketched;
  return [
    `${name}: ${count(sketched.sketches)} sketches of ${count(sketched.pages)} downloads in ${printable(sketched.file)}; ` +
      `${duration(seconds)}, ${bytes(sketched.bytes / seconds)}/s`,
    ...sketched.damage.flatMap((damage) => describeDamage(terminal, damage)),
  ].join("\n");
}
