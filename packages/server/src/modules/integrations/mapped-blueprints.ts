interface MappedBlueprints {
  /** Blueprints that the mapping names literally. */
  readonly identifiers: ReadonlySet<string>;
  /** Whether it also computes names from the data. */
  readonly isOpen: boolean;
}

/** The blueprints that the mapping of a client writes; what is not of the form that clients read names none. */
export function mappedBlueprints(config: object | null): MappedBlueprints {
  const expressions = listAt(config, 'resources').flatMap((resource) =>
    listAt(at(at(resource, 'port'), 'entity'), 'mappings').flatMap((mapping) => {
      const blueprint = at(mapping, 'blueprint');
      return typeof blueprint === 'string' ? [blueprint] : [];
    }),
  );
  const named = expressions.map((expression) => /^\s*"([^"\\]*)"\s*$/.exec(expression)?.[1]);
  return {
    identifiers: new Set(named.filter((each) => each !== undefined)),
    isOpen: named.includes(undefined),
  };
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** One or a list: clients take both. */
function listAt(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key);
  if (found === undefined || found === null) return [];
  return Array.isArray(found) ? found : [found];
}
