const number = new Intl.NumberFormat();

/** A count with its noun: "1 rule", "1,204 rules". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number.format(count)} ${count === 1 ? one : many}`;
}
