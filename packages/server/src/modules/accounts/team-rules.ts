import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { nameKey } from './name-key.ts';
import { findTeamsByNameKey } from './people.store.ts';

interface NamedTeam {
  readonly identifier: string;
  readonly name: string;
}

/**
 * Checks that no two teams share a name (decision 0021), for changes of one transaction in order.
 * @throws AppError `identifier_taken`
 */
export async function teamRules(
  { tx, actor }: Work,
  names: readonly string[],
  path: string,
): Promise<(before: NamedTeam | undefined, after: NamedTeam) => void> {
  const found = names.length === 0 ? [] : await findTeamsByNameKey(tx, actor.orgId, names.map(nameKey));
  const taken = new Map<string, NamedTeam>(
    found.map(({ nameKey: key, identifier, title }) => [key, { identifier, name: title }]),
  );
  return (before, after) => {
    const key = nameKey(after.name);
    const holder = taken.get(key);
    const isOwn = holder !== undefined && holder.identifier === (before ?? after).identifier;
    if (before?.name !== after.name && holder && !isOwn) throw nameTaken(after.name, holder, path);
    taken.set(key, after);
  };
}

function nameTaken(name: string, holder: NamedTeam, path: string): AppError {
  const message = `The team name "${name}" is taken by the team "${holder.name}" (${holder.identifier})`;
  return new AppError('identifier_taken', message, {
    details: [{ path, message: `is taken by "${holder.name}"` }],
  });
}
