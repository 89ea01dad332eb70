/** `dustpan serve`: the web app on loopback. */
import { rulesFileBeside } from "../../store/beside.js";
import { Workspace } from "../../store/workspace.js";
import { isLoopback, startServer } from "../../web/server/server.js";
import { printDocument } from "../document.js";
import { fetchOptions } from "../fetching.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";

/** Runs until it is interrupted, which is its ordinary end. */
export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  const workspace = Workspace.at(args.text("workspace")!);
  const host = args.text("host")!;
  const server = await startServer({
    workspace,
    rulesFile: args.text("rules") ?? rulesFileBeside(workspace.file),
    fetch: fetchOptions(args),
    unmask: args.has("unmask"),
    host,
    port: args.integer("port", 0, 65535)!,
  });
  if (!workspace.exists) terminal.err(`nothing is at ${workspace.file} yet: the first file that is added makes it`);
  if (!isLoopback(host)) {
    terminal.err(
      `warning: others on the network can reach ${host}: anybody who has the address below can read the workspace and change rules, and nothing on the way is encrypted`,
    );
  }
  if (args.has("json")) printDocument(terminal, "dustpan-serve", { url: server.url });
  else terminal.out(server.url);
  terminal.err("open this address in a browser; Ctrl-C ends");
  await new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve();
    context.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.close();
}
