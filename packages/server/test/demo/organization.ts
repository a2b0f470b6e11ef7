import { fileURLToPath } from 'node:url';
import type { TransferFile } from '@portolan/contract/transfer-file';
import { readDemo } from '../../src/demo/read-demo.ts';

export const demoFolder = fileURLToPath(new URL('../../demo', import.meta.url));

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export interface SchemaProperty {
  type: string;
  format?: string;
  enum?: (string | number)[];
  enumColors?: Record<string, string>;
  items?: Partial<SchemaProperty>;
  pattern?: string;
  minimum?: number;
  exclusiveMaximum?: number;
  uniqueItems?: boolean;
  properties?: JsonObject;
  patternProperties?: JsonObject;
  additionalProperties?: boolean;
  required?: string[];
}

export interface Schema {
  properties: Record<string, SchemaProperty>;
  required: string[];
}

interface Blueprint {
  identifier: string;
  title: string;
  description: string;
  schema: Schema;
  ownership?: { type: 'Direct' } | { type: 'Inherited'; path: string };
  relations: Record<string, { target: string; required: boolean; many: boolean }>;
  mirrorProperties: object;
  calculationProperties: object;
  aggregationProperties: Record<
    string,
    {
      target: string;
      calculationSpec: Record<string, string>;
      pathFilter?: { path: string[]; fromBlueprint?: string }[];
    }
  >;
}

export type RelationValue = string | string[] | null;
export interface DemoEntity {
  blueprint: string;
  identifier: string;
  title?: string;
  team?: string[];
  properties: JsonObject;
  relations: Record<string, RelationValue>;
}

export type DemoOrganization = ReturnType<typeof demoOrganization>;

/** The demo's records sorted by what they are, in the form in which the tests ask about them. */
export function demoOrganization(now: Date, publicUrl = 'http://localhost:3000') {
  const file: TransferFile = readDemo({ folder: demoFolder, publicUrl }, now);
  const blueprints = file.blueprints.map(({ body }) => body as unknown as Blueprint);
  const entities = file.entities.map(({ blueprint, body }) => ({ blueprint, ...body }) as unknown as DemoEntity);
  const of = (blueprint: string) => entities.filter((one) => one.blueprint === blueprint);
  const actions = file.actions.map(({ body }) => body);
  return {
    blueprints: blueprints.filter(({ identifier }) => !identifier.startsWith('_')),
    systemBlueprints: blueprints.filter(({ identifier }) => ['_user', '_team'].includes(identifier)),
    users: of('_user'),
    teams: of('_team'),
    entities: entities.filter(({ blueprint }) => !blueprint.startsWith('_')),
    agents: of('_ai_agent'),
    invocations: of('_ai_invocations'),
    actions: actions.flatMap(({ trigger, ...body }) => (trigger.type === 'self-service' ? { ...body, trigger } : [])),
    automations: actions.flatMap(({ trigger, ...body }) => (trigger.type === 'automation' ? { ...body, trigger } : [])),
    permitted: file.actions.filter(({ permissions }) => permissions).map(({ identifier }) => identifier),
    pages: file.pages,
  };
}
