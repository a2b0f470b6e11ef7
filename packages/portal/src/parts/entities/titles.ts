import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/api.ts';
import { type Field, type FieldEntity, fieldValue } from './fields.ts';

/** Titles of entities by blueprint and identifier. */
export type Titles = ReadonlyMap<string, string>;

export function titleKey(blueprint: string, identifier: string): string {
  return `${blueprint} ${identifier}`;
}

const most = 500;

/** Titles of the entities that the shown relations point to, with one request per target blueprint. */
export function useRelationTitles(entities: readonly FieldEntity[], fields: readonly Field[]): Titles {
  const wanted = useMemo(() => {
    const byTarget = new Map<string, Set<string>>();
    for (const field of fields) {
      if (field.source !== 'relation' || field.target === undefined) continue;
      const identifiers = byTarget.get(field.target) ?? new Set<string>();
      for (const entity of entities)
        for (const each of [fieldValue(entity, field)].flat()) if (typeof each === 'string') identifiers.add(each);
      byTarget.set(field.target, identifiers);
    }
    return [...byTarget].map(([blueprint, identifiers]) => ({
      blueprint,
      identifiers: [...identifiers].sort().slice(0, most),
    }));
  }, [entities, fields]);
  return useTitles(wanted);
}

/** Titles of the given entities. An unreadable or deleted entity keeps its identifier. */
export function useTitles(
  wanted: readonly { readonly blueprint: string; readonly identifiers: readonly string[] }[],
): Titles {
  const asked = wanted.filter(({ identifiers }) => identifiers.length > 0);
  return useQueries({
    queries: asked.map(({ blueprint, identifiers }) => ({
      queryKey: ['searchBlueprintEntities', 'titles', blueprint, identifiers],
      staleTime: 120_000,
      retry: false,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('searchBlueprintEntities', {
          params: { blueprint_identifier: blueprint },
          body: {
            query: { combinator: 'and', rules: [{ property: '$identifier', operator: 'in', value: [...identifiers] }] },
            include: ['$title', '$identifier'],
            limit: most,
          },
          signal,
        }),
    })),
    combine: (answers) => {
      const titles = new Map<string, string>();
      answers.forEach((answer, index) => {
        for (const { identifier, title } of answer.data?.entities ?? []) {
          if (identifier && title) titles.set(titleKey(asked[index]?.blueprint ?? '', identifier), title);
        }
      });
      return titles;
    },
  });
}
