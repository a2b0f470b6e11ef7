import { z } from 'zod';

/** A setting of a client: its name and rules, as `tools/generate-source-types.ts` writes them. */
const clientSetting = z.object({
  name: z.string(),
  type: z.enum(['string', 'integer', 'boolean', 'array', 'object']),
  format: z.literal('url').optional(),
  required: z.boolean(),
  secret: z.boolean(),
  default: z.json().optional(),
  choices: z.array(z.string()).optional(),
  /** Asked for only beside certain values of another setting. */
  onlyWhen: z.object({ setting: z.string(), values: z.array(z.string()), required: z.boolean() }).optional(),
});
export type ClientSetting = z.output<typeof clientSetting>;

const json = z.record(z.string(), z.json());
const resource = z.looseObject({
  kind: z.string(),
  port: z.looseObject({
    entity: z.looseObject({ mappings: z.union([json, z.array(json)]) }),
  }),
});

/** A client that runs elsewhere. */
export const client = z.object({
  type: z.string(),
  title: z.string(),
  /** The tag of its image; null where it is not pinned. */
  version: z.string().nullable(),
  kinds: z.array(z.string()),
  settings: z.array(clientSetting),
  blueprints: z.array(json),
  mapping: z.looseObject({ resources: z.array(resource) }),
});
export type Client = z.output<typeof client>;

/** Our own words about a type. */
export const card = z.object({
  type: z.string(),
  /** Absent for clients, which bring their own. */
  title: z.string().optional(),
  section: z.string(),
  summary: z.string(),
  needs: z.string(),
  way: z.enum(['install', 'webhook', 'guide']).default('install'),
  guide: z.string().optional(),
  /** Not listed; there to try things out. */
  isHidden: z.boolean().default(false),
});
export type Card = z.output<typeof card>;
