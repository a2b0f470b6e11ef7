/** An entity the user visited. */
export interface RecentEntity {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string;
}

const most = 10;

/** The user's recently visited entities in this browser, latest first; stored per user. */
export function recentEntities(person: string): readonly RecentEntity[] {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey(person)) ?? '[]') as unknown;
    return Array.isArray(kept) ? (kept as RecentEntity[]) : [];
  } catch {
    return [];
  }
}

export function rememberEntity(person: string, entity: RecentEntity): void {
  const others = recentEntities(person).filter(
    ({ blueprint, identifier }) => blueprint !== entity.blueprint || identifier !== entity.identifier,
  );
  try {
    localStorage.setItem(storageKey(person), JSON.stringify([entity, ...others].slice(0, most)));
  } catch {
    // storage is disabled: no recent entities
  }
}

function storageKey(person: string): string {
  return `portolan-recent:${person}`;
}
