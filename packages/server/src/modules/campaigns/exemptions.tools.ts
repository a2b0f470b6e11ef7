import { exemptionBody } from '@portolan/contract/exemptions';
import { z } from 'zod';
import { pageArguments, pageOfAll } from '../../platform/tools/page.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { createExemptions, deleteExemption, listExemptions } from './exemptions.ts';

const named = {
  blueprint: z.string().min(1).describe('Identifier of the blueprint'),
  scorecard: z.string().min(1).describe('Identifier of the scorecard'),
};

/** Exemptions from rules of scorecards, as tools. */
export function exemptionTools(deps: CatalogDeps): ToolDeclaration[] {
  const list = tool({
    name: 'list_exemptions',
    title: 'List exemptions of a scorecard',
    description: 'Lists which entities are exempt today from rules of a scorecard, why, and until when.',
    effect: 'read',
    scope: ['read:scorecards', 'read:entities'],
    // for builders, who make and end them: what models are sent before a question stays small
    audience: 'builder',
    input: z.strictObject({ ...named, ...pageArguments }),
    run: async ({ actor }, { blueprint, scorecard, ...paging }) => {
      const all = await listExemptions(deps, actor, { blueprint, scorecard });
      const { items, ...page } = pageOfAll(all, (each) => each.id, paging);
      return { ...page, exemptions: items };
    },
  });
  const exempt = tool({
    name: 'exempt_entities',
    title: 'Exempt entities from a scorecard',
    description:
      'Exempts entities from one rule of a scorecard, or from all, until a day. Results and levels stay; campaigns count them apart.',
    effect: 'destructive',
    scope: ['update:scorecards', 'read:entities'],
    audience: 'builder',
    input: exemptionBody.extend(named),
    run: async ({ actor }, { blueprint, scorecard, ...body }) => ({
      exemptions: await createExemptions(deps, actor, { blueprint, scorecard }, body),
    }),
  });
  const end = tool({
    name: 'end_exemption',
    title: 'End an exemption',
    description: 'Ends one exemption from a scorecard, so that campaigns count the entity as open again.',
    effect: 'destructive',
    scope: 'update:scorecards',
    audience: 'builder',
    input: z.strictObject({
      ...named,
      id: z.string().min(1).max(100).describe('Id of the exemption, from list_exemptions'),
    }),
    run: async ({ actor }, { id, ...from }) => {
      await deleteExemption(deps, actor, from, id);
      return { ended: id };
    },
  });
  return [list, exempt, end];
}
