import { call, open } from './api.ts';
import { readKey, useChange, useRead } from './query.ts';

/** Code that must not compile: each line that does fails the type check. Nothing here runs. */
export function useRefusedCalls(): void {
  const params = { blueprint_identifier: 'service', entity_identifier: 'api' };
  void call('getEntity', { params, query: { include: 'title' } });
  useRead('getSidebar', undefined, { isOn: true });
  useRead('getEntity', { params }, { isOn: true });
  readKey('listPages');

  // @ts-expect-error there is no such operation
  void call('getEntities');
  // @ts-expect-error the input is missing
  void call('getEntity');
  // @ts-expect-error a param is missing
  void call('getEntity', { params: { blueprint_identifier: 'service' } });
  // @ts-expect-error a key of the query is misspelt
  void open('getEntity', { params, query: { attach_titles_to_relation: true } });
  // @ts-expect-error the input is missing
  useRead('getEntity');
  // @ts-expect-error the params are missing
  useRead('getEntity', undefined, { isOn: false });
  // @ts-expect-error a value of the query has the wrong type
  useRead('listRuns', { query: { limit: true } });
  // @ts-expect-error the params are missing
  readKey('getEntity', { query: {} });
  const change = useChange('patchEntity');
  // @ts-expect-error a param is misspelt
  change.mutate({ params: { ...params, blueprint: 'service' }, body: {} });
  // @ts-expect-error a setting is misspelt
  useRead('getSidebar', undefined, { on: true });
}
