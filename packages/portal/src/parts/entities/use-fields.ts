import type { Blueprint } from '@portolan/contract/blueprints';
import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { listFields } from './fields.ts';

/** The fields of a blueprint, including its scorecards. */
export function useFields(blueprint: string) {
  const read = useRead('getBlueprint', { params: { blueprint_identifier: blueprint } });
  const scorecards = useRead('listScorecards', { params: { blueprint_identifier: blueprint } });
  const isOn = Object.keys(read.data?.blueprint.mirrorProperties ?? {}).length > 0;
  const others = useRead('listBlueprints', undefined, { isOn });
  const fields = useMemo(
    () =>
      read.data
        ? listFields(read.data.blueprint, scorecards.data?.scorecards, others.data?.blueprints as readonly Blueprint[])
        : undefined,
    [read.data, scorecards.data, others.data],
  );
  return { read, fields };
}
