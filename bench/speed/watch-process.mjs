// What a process takes, from /proc (Linux).
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** Waits for its end: exit code, seconds by the processor, and its peak of memory in KB. */
export async function watchProcess(child) {
  let peak = 0;
  let cpu = 0;
  // The kernel keeps the peak itself, so that looking now and then misses only the last moment.
  const watch = setInterval(() => {
    try {
      peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? peak);
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(" ");
      cpu = (Number(fields[13]) + Number(fields[14])) / 100;
    } catch {
      // It has just ended.
    }
  }, 50);
  const [code] = await once(child, "close");
  clearInterval(watch);
  return { code, cpu, peak };
}
