/** The paper's cluster sizes on a logarithmic scale (figures 4 to 10), also used for mirrors (figure 11). */
export const sizeClasses = [
  "1",
  "2-10",
  "11-100",
  "101-1,000",
  "1,001-10,000",
  "10,001-100,000",
  "more than 100,000",
] as const;

const largestOfClass = [1, 10, 100, 1_000, 10_000, 100_000];

/** Number of a size's class, 0 to 6. */
export function sizeClass(size: number): number {
  let number = 0;
  while (number < largestOfClass.length && size > largestOfClass[number]!) number++;
  return number;
}

/** Least and largest size of a class. */
export function sizeRange(number: number): readonly [least: number, largest: number] {
  return [(largestOfClass[number - 1] ?? 0) + 1, largestOfClass[number] ?? 0xffffffff];
}
