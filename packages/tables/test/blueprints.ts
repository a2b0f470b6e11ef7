import type { FindEntities, TableBlueprint } from '../src/index.ts';

export const service: TableBlueprint = {
  identifier: 'service',
  schema: {
    properties: {
      tier: { type: 'string', title: 'Tier', enum: ['Gold', 'Silver'] },
      cost: { type: 'number' },
      live: { type: 'boolean' },
      since: { type: 'string', format: 'date-time' },
      languages: { type: 'array', items: { type: 'string' } },
      ports: { type: 'array', items: { type: 'number' } },
      labels: { type: 'object' },
      url: { type: 'string', format: 'url' },
    },
  },
  relations: { system: { target: 'system' }, uses: { target: 'service', many: true } },
};

const catalog: Readonly<Record<string, readonly { identifier: string; title: string | null }[]>> = {
  system: [
    { identifier: 'shop', title: 'Web shop' },
    { identifier: 'bank', title: 'Banking' },
    { identifier: 'bank-2', title: 'Banking' },
  ],
  _team: [{ identifier: 'payments', title: 'Payments team' }],
};

export const find: FindEntities = async (blueprint, texts) =>
  (catalog[blueprint] ?? []).filter(
    ({ identifier, title }) => texts.includes(identifier) || texts.includes(title ?? ''),
  );
