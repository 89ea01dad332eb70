/** Numbers for people, one way everywhere: terminal, report, web app. */

/** As toLocaleString("en-US"), whose first call loads tables for longer than most commands need to print. */
export function count(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21
    ? `${value}`.replace(/\B(?=(\d{3})+$)/g, ",")
    : value.toLocaleString("en-US");
}

/** "1 line", "2 lines". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let scaled = value;
  let unit = 0;
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${unit === 0 ? Math.round(scaled) : scaled.toFixed(scaled < 10 ? 1 : 0)} ${units[unit]}`;
}

export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function percent(share: number): string {
  const value = 100 * share;
  return `${value === 0 || value >= 10 ? value.toFixed(0) : value.toPrecision(2)}%`;
}
