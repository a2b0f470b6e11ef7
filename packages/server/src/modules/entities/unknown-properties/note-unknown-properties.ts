import type { Work } from '../../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import type { Properties } from '../../entity-rows/index.ts';
import type { CatalogDeps } from '../entities.deps.ts';
import { droppedWarning } from '../fit-body.ts';
import { guessProperty } from './guess-property.ts';
import { listUnknownRows, putUnknownRows } from './unknown-property.store.ts';

/** Interval in which a repetition is not recorded or logged again. */
const notedMs = 3_600_000;
/** Most notes per blueprint, against clients that invent names. */
const notesMax = 200;
const nameMax = 100;

/**
 * Records dropped properties once an hour per property and writer, for the portal and the integration's log. Costs
 * nothing if none was dropped.
 */
export async function noteUnknownProperties(
  { logForSource }: Pick<CatalogDeps, 'logForSource'>,
  work: Work,
  blueprint: StoredBlueprint,
  dropped: readonly (Properties | undefined)[],
): Promise<void> {
  const samples = collectSamples(dropped);
  if (samples.size === 0) return;
  const { tx, now, actor } = work;
  const noted = await listUnknownRows(tx, blueprint);
  const fresh = new Set(
    noted
      .filter(
        ({ datasource, lastSeen }) => datasource === actor.datasource && now.getTime() - lastSeen.getTime() < notedMs,
      )
      .map(({ property }) => property),
  );
  const known = new Set(
    noted.flatMap(({ property, datasource }) => (datasource === actor.datasource ? [property] : [])),
  );
  let room = notesMax - noted.length;
  const due = [...samples.keys()].sort().filter((property) => {
    if (fresh.has(property) || property.length > nameMax) return false;
    if (!known.has(property)) room -= 1;
    return known.has(property) || room >= 0;
  });
  if (due.length === 0) return;
  const notes = due.map((property) => ({
    property,
    datasource: actor.datasource,
    guess: guessProperty(samples.get(property)),
  }));
  await putUnknownRows(tx, blueprint, notes, now);
  await logForSource?.(
    work,
    due.map((property) => droppedWarning(blueprint, property)),
  );
}

/** A sample value per property; null only if there is no other. */
function collectSamples(dropped: readonly (Properties | undefined)[]): Map<string, unknown> {
  const samples = new Map<string, unknown>();
  for (const properties of dropped) {
    for (const [key, value] of Object.entries(properties ?? {})) {
      if ((samples.get(key) ?? null) === null) samples.set(key, value);
    }
  }
  return samples;
}
