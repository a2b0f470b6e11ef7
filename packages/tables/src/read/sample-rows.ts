import { columnsMax, TableError } from '../table.ts';

const sampleRows = 1000;

/** Headings as names of columns, each once. @throws TableError for too many */
export function nameColumns(headings: readonly string[], notes: string[]): readonly string[] {
  refuseTooMany(headings.length);
  const taken = new Set<string>();
  return headings.map((written, index) => {
    const heading = written.trim() || `Column ${index + 1}`;
    let name = heading;
    for (let number = 2; taken.has(name); number++) name = `${heading} (${number})`;
    if (name !== heading) notes.push(`The heading "${heading}" stands twice; the second is called "${name}" here.`);
    taken.add(name);
    return name;
  });
}

/** @throws TableError */
export function refuseTooMany(count: number): void {
  if (count > columnsMax) throw new TableError(`The file has ${count} columns. At most ${columnsMax} are read.`);
}

/** The first rows, and whether there are more. */
export async function takeSample<Value>(all: AsyncGenerator<Value>) {
  const sample: Value[] = [];
  for await (const value of all) {
    if (sample.length === sampleRows) return { sample, isWhole: false };
    sample.push(value);
  }
  return { sample, isWhole: true };
}
