import type { Campaign, CampaignBody } from '@portolan/contract/campaigns';
import { call } from '../../api/api.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { conflictQuestion } from '../../kit/conflict-question.tsx';
import { FieldProblem, useSentForm } from '../../kit/form.tsx';
import { t } from '../../kit/translate.ts';
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
  const replace = async (before: Campaign, body: CampaignBody): Promise<Campaign> => {
    const params = { campaign_id: before.id };
    const { campaign: theirs } = await call('getCampaign', { params });
    if (theirs.updatedAt !== before.updatedAt) {
      const versions = { base: readBody(before), theirs: readBody(theirs), mine: body };
      const question = conflictQuestion({ name: before.title, by: theirs.updatedBy, ...versions });
      if (!(await confirm(question)))
        throw new Error(t('{by} saved the campaign after you began.', { by: theirs.updatedBy }));
    }
    // who saves between the look and this is not overwritten either
    const query = { expectedVersion: theirs.updatedAt };
    return (await call('replaceCampaign', { params, query, body })).campaign;
  };
  const form = useSentForm<Draft, Campaign>({
    initial,
    places,
    guards: t('the campaign'),
    staleAfter: campaignReads,
    done: (_, { title }) => (base ? t('{title} was saved', { title }) : t('{title} was created', { title })),
    onSaved,
    send: async (draft) => {
      if (draft.title.trim() === '') throw new FieldProblem('title', t('Enter a title.'));
      if (draft.scorecard === '') throw new FieldProblem('scorecard', t('Choose a scorecard.'));
      if (draft.aim === 'rules' && draft.rules.length === 0) throw new FieldProblem('rules', t('Choose a rule.'));
      if (draft.aim === 'level' && draft.level === '') throw new FieldProblem('level', t('Choose a level.'));
      if (draft.dueDate === '') throw new FieldProblem('dueDate', t('Enter a due date.'));
      const body = toBody(draft);
      if (!base) return (await call('createCampaign', { body })).campaign;
      return replace(base, body);
    },
  });
  return { ...form, operation: base ? ('replaceCampaign' as const) : ('createCampaign' as const) };
}
