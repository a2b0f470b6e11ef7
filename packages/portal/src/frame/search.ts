/** Reads one search value of an address; undefined if it has the wrong type. */
type Reader<Value> = (found: unknown) => Value | undefined;

type Read<Readers> = {
  [Name in keyof Readers]?: Readers[Name] extends Reader<infer Value> ? Value | undefined : never;
};

/** The search schema of a screen: drops values of the wrong type and passes the values of other screens. */
export function search<Readers extends Readonly<Record<string, Reader<unknown>>>>(readers: Readers) {
  return (found: Record<string, unknown>): Read<Readers> =>
    Object.fromEntries(
      Object.entries(readers)
        .filter(([name]) => name in found)
        .map(([name, read]) => [name, read(found[name])]),
    ) as Read<Readers>;
}

/** The router parses a text that looks like a number or boolean; this turns it back. */
export const text: Reader<string> = (found) =>
  typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined;

/** For a value whose type only the data determines. */
export const asGiven: Reader<unknown> = (found) => found;

export const flag: Reader<boolean> = (found) => (typeof found === 'boolean' ? found : undefined);

export const texts: Reader<string[]> = (found) =>
  Array.isArray(found) ? found.filter((each) => typeof each === 'string') : undefined;

export const whole: Reader<number> = (found) => (Number.isInteger(found) ? (found as number) : undefined);

export function oneOf<const Value extends string>(...values: readonly Value[]): Reader<Value> {
  return (found) => values.find((each) => each === found);
}
