import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { type Card, type Client, card, client } from './client.types.ts';

export interface ClientFiles {
  readonly clients: readonly Client[];
  readonly cards: readonly Card[];
}

/** Reads what ships with the product about clients. @throws ZodError if the files are not of their form */
export function readClients(folder: string): ClientFiles {
  // the first line names what the file was made from
  return {
    clients: readLines(join(folder, 'clients.jsonl'), client, 1),
    cards: readLines(join(folder, 'cards.jsonl'), card),
  };
}

function readLines<Line extends z.ZodType>(path: string, schema: Line, skipped = 0): z.output<Line>[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(skipped);
  return lines.map((line) => schema.parse(JSON.parse(line)));
}
