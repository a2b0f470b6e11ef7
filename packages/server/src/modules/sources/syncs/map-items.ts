import { entityWriteBody } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { type JqValue, type MappedResource, mapEvent, mappingMillisecondsMax, mappingsOfResource } from '@portolan/jq';
import { z } from 'zod';
import { shareTime } from '../../../platform/evaluation-time.ts';
import { mapWithin } from '../../../platform/expressions.ts';
import { toIssues } from '../../../platform/http/issues.ts';
import type { IngestBody, ItemPart, RawItem, ReadItem } from '../ingest/ingest-item.ts';
import type { SyncProblem } from '../ingest/sync.ts';
import type { SourceItem } from '../source-type.ts';
import { blueprintsOfResource } from '../sources/source-rights.ts';

type Resource = Readonly<Record<string, unknown>> & { readonly kind?: unknown };

const body = z.compile(entityWriteBody);

/**
 * Items of a source as those of a sync. What an item makes is found out by the resources of its kind; one whose mapping
 * fails has a problem and stands alone.
 */
export function toRawItems(
  items: readonly SourceItem[],
  mapping: readonly Resource[],
  { after, now }: { readonly after: number; readonly now: Date },
): RawItem[] {
  const seeds = new Map<string, { readonly text: string; readonly blueprints: readonly string[] }>();
  const seedOf = (kind: string) => {
    const known = seeds.get(kind);
    if (known) return known;
    const resources = mapping.filter((each) => each.kind === kind);
    const blueprints = resources.flatMap(blueprintsOfResource).filter((name) => name !== undefined);
    const seed = { text: JSON.stringify(resources), blueprints: [...new Set(blueprints)].sort() };
    seeds.set(kind, seed);
    return seed;
  };
  return items.map((item, index): RawItem => {
    const seed = seedOf(item.kind);
    const line = after + index + 1;
    let mapped: Promise<ReadItem> | undefined;
    return {
      line,
      key: item.key,
      place: item.place,
      text: `${seed.text}\n${JSON.stringify(item.document)}`,
      blueprints: seed.blueprints,
      read: () => {
        mapped ??= mapItem(item, line, mapping, now);
        return mapped;
      },
    };
  });
}

async function mapItem(item: SourceItem, line: number, mapping: readonly Resource[], now: Date): Promise<ReadItem> {
  const parts: ItemPart[] = [];
  const problems: SyncProblem[] = [];
  const common = { severity: 'error', line, itemKey: item.key } as const;
  const context = mapWithin(shareTime(now, mappingMillisecondsMax));
  for (const resource of mapping.filter((each) => each.kind === item.kind)) {
    for (const { mapping: one } of mappingsOfResource(resource as unknown as MappedResource)) {
      const found = await mapEvent(one, item.document as Record<string, JqValue>, context);
      if (found.isFiltered) continue;
      if (found.isFailed) {
        problems.push({
          ...common,
          code: 'mapping_failed',
          message: found.reason ?? 'The mapping failed',
          place: item.place,
        });
      }
      for (const { message } of found.issues) {
        problems.push({ ...common, code: 'mapping_failed', message, place: item.place });
      }
      for (const mapped of found.items) {
        const read = readPart(mapped.body);
        if ('part' in read) parts.push(read.part);
        else problems.push({ ...common, code: 'invalid_request', message: read.message, place: item.place });
      }
    }
  }
  return { parts, problems };
}

function readPart(mapped: Readonly<Record<string, unknown>>): { part: ItemPart } | { message: string } {
  const { blueprint, identifier } = mapped;
  if (typeof blueprint !== 'string') return { message: '"blueprint" came to no name' };
  if (typeof identifier !== 'string') return { message: '"identifier" came to no text' };
  const parsed = body.safeParse(mapped);
  if (parsed.success) return { part: { blueprint, body: parsed.data as IngestBody } };
  const [first] = toIssues(parsed.error, mapped) as [Issue];
  return { message: `${first.path} ${first.message}` };
}
