import type { Campaign, CampaignBody } from '@portolan/contract/campaigns';
import { call, errorCode } from '../../api/api.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { conflictQuestion } from '../../kit/conflict-question.tsx';
import { FieldProblem, useSentForm } from '../../kit/form.tsx';
import { type Draft, readBody, toBody } from './campaign-draft.ts';

export const campaignReads = ['listCampaigns', 'getCampaign', 'getCampaignProgress', 'listOwnCampaigns'] as const;

const places = {
  blueprint: 'scorecard',
  'target/level': 'level',
  'target/rules': 'rules',
  target: 'level',
} as const;

/** Makes a campaign, or saves the one it began with; who saves second sees both versions and decides. */
export function useCampaignForm({
  initial,
  base,
  onSaved,
}: {
  initial: Draft;
  base: Campaign | undefined;
  onSaved: (saved: Campaign) => void;
}) {
  const confirm = useConfirm();
  const replace = async (before: Campaign, body: CampaignBody, expectedVersion: string): Promise<Campaign> => {
    const params = { campaign_id: before.id };
    try {
      return (await call('replaceCampaign', { params, query: { expectedVersion }, body })).campaign;
    } catch (error) {
      if (errorCode(error) !== 'stale_version') throw error;
      const { campaign: theirs } = await call('getCampaign', { params });
      const name = before.title;
      const versions = { base: readBody(before), theirs: readBody(theirs), mine: body };
      if (!(await confirm(conflictQuestion({ name, by: theirs.updatedBy, ...versions })))) throw error;
      return replace(before, body, theirs.updatedAt);
    }
  };
  const form = useSentForm<Draft, Campaign>({
    initial,
    places,
    guards: 'the campaign',
    staleAfter: campaignReads,
    done: (_, { title }) => `${title} was ${base ? 'saved' : 'created'}`,
    onSaved,
    send: async (draft) => {
      if (draft.title.trim() === '') throw new FieldProblem('title', 'Enter a title.');
      if (draft.scorecard === '') throw new FieldProblem('scorecard', 'Choose a scorecard.');
      if (draft.aim === 'rules' && draft.rules.length === 0) throw new FieldProblem('rules', 'Choose a rule.');
      if (draft.aim === 'level' && draft.level === '') throw new FieldProblem('level', 'Choose a level.');
      if (draft.dueDate === '') throw new FieldProblem('dueDate', 'Enter a due date.');
      const body = toBody(draft);
      if (!base) return (await call('createCampaign', { body })).campaign;
      return replace(base, body, base.updatedAt);
    },
  });
  return { ...form, operation: base ? ('replaceCampaign' as const) : ('createCampaign' as const) };
}
