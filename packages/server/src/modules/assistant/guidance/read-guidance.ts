import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { getEntity, presentEntities, type ReadDeps } from '../../entities/index.ts';
import { searchBlueprint } from '../../search/index.ts';

/** An entity of `prompt` or `skill` that the caller may read. */
export interface Guidance {
  readonly identifier: string;
  readonly title: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const most = 200;

/**
 * Prompts and skills are entities of blueprints that an organization creates itself (assistant reference §4.6). Returns
 * none if the blueprint is missing or the caller may not read it.
 */
export async function listGuidance(
  deps: ReadDeps,
  actor: Actor,
  blueprint: 'prompt' | 'skill',
): Promise<readonly Guidance[]> {
  return orNothing(async () => {
    const page = await searchBlueprint(deps, actor, blueprint, { limit: most });
    const shown = await presentEntities(deps, actor, page.blueprint, page.entities);
    return shown.map(toGuidance).sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
  }, []);
}

export async function findGuidance(
  deps: ReadDeps,
  actor: Actor,
  blueprint: 'prompt' | 'skill',
  identifier: string,
): Promise<Guidance | undefined> {
  return orNothing(async () => {
    const found = await getEntity(deps, actor, blueprint, identifier);
    const [shown] = await presentEntities(deps, actor, found.blueprint, [found.entity]);
    return shown && toGuidance(shown);
  }, undefined);
}

function toGuidance(entity: {
  readonly identifier?: string;
  readonly title?: string | null;
  readonly properties?: Readonly<Record<string, unknown>>;
}): Guidance {
  const { identifier = '', title, properties = {} } = entity;
  return { identifier, title: title || identifier, properties };
}

async function orNothing<Found, Nothing>(look: () => Promise<Found>, nothing: Nothing): Promise<Found | Nothing> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'missing_permissions'))
      return nothing;
    throw error;
  }
}

export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
