import { Alert, Button, Group, Tabs, Text } from '@mantine/core';
import type { Campaign } from '@portolan/contract/campaigns';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useRead, useRefresh } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { useDelete } from '../../kit/delete.ts';
import { Reading } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge, PersonBadge } from '../../parts/badges.tsx';
import { dueText, writtenDate } from '../../parts/campaigns/due.ts';
import { useOffers } from '../../parts/entities/rights.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { readBody, toDraft } from './campaign-draft.ts';
import { CampaignForm } from './campaign-form.tsx';
import { CampaignProgressTab } from './campaign-progress-tab.tsx';
import { findScorecard, isOver, statusColours, statusWords } from './campaign-words.ts';
import { scorecardAddress } from './scorecard-draft.ts';
import classes from './scorecards.module.css';
import { campaignReads } from './use-campaign-form.ts';

const path = '/builder/campaigns/$campaign';

/** One campaign: how far it is and what is left, and what it asks. */
export function Screen() {
  const id = useParam('campaign');
  const read = useRead('getCampaign', { params: { campaign_id: id } });
  return (
    <Reading of={read} isScreen>
      {({ campaign }) => <Shown key={id} campaign={campaign} />}
    </Reading>
  );
}

function Shown({ campaign }: { campaign: Campaign }) {
  const { title, status, dueDate, owner, description, blueprint, scorecard } = campaign;
  const [tab = 'progress', setTab] = useUrlState(path, 'tab');
  const mayChange = useOffers('_scorecard').register;
  const scorecards = useRead('listAllScorecards');
  const its = findScorecard(scorecards.data?.scorecards, campaign);
  return (
    <>
      <PageHeader
        title={title}
        trail={[
          { to: '/builder/scorecards', label: t('Scorecards') },
          { to: '/builder/campaigns', label: t('Campaigns') },
        ]}
        description={
          <Group gap={8}>
            <ColourBadge colour={statusColours[status]}>{statusWords[status]}</ColourBadge>
            <span>
              {isOver(campaign)
                ? t('Was due {dueDate}', { dueDate: writtenDate(dueDate) })
                : `${dueText(dueDate, new Date())}, ${writtenDate(dueDate)}`}
            </span>
            {its && <AnchorLink {...scorecardAddress(blueprint, scorecard)}>{its.title}</AnchorLink>}
            {owner && <PersonBadge email={owner} />}
          </Group>
        }
        actions={mayChange && <Actions campaign={campaign} />}
      />
      {description && <Text className={classes.campaignText ?? ''}>{description}</Text>}
      {mayChange ? (
        <Tabs value={tab} onChange={(next) => setTab(next === 'settings' ? next : undefined)} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="progress">{t('Progress')}</Tabs.Tab>
            <Tabs.Tab value="settings">{t('Settings')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="progress">
            <CampaignProgressTab campaign={campaign} scorecard={its} />
          </Tabs.Panel>
          <Tabs.Panel value="settings">
            <Reading of={scorecards}>
              {(found) => (
                <Settings campaign={campaign} scorecards={found.scorecards} onSaved={() => setTab(undefined)} />
              )}
            </Reading>
          </Tabs.Panel>
        </Tabs>
      ) : (
        <CampaignProgressTab campaign={campaign} scorecard={its} />
      )}
    </>
  );
}

function Settings(props: Pick<Parameters<typeof CampaignForm>[0], 'scorecards' | 'onSaved'> & { campaign: Campaign }) {
  return (
    <>
      {!findScorecard(props.scorecards, props.campaign) && (
        <Alert color="yellow" mb="md" title={t('The scorecard was deleted')}>
          {t('Choose another scorecard of the same blueprint, or archive the campaign.')}
        </Alert>
      )}
      <CampaignForm {...props} initial={toDraft(props.campaign)} />
    </>
  );
}

function Actions({ campaign }: { campaign: Campaign }) {
  const { id, title, status } = campaign;
  const [isBusy, setBusy] = useState(false);
  const toast = useToast();
  const refresh = useRefresh();
  const remove = useDelete('deleteCampaign', {
    staleAfter: ['listCampaigns', 'listOwnCampaigns'],
    leadsTo: '/builder/campaigns',
  });
  const params = { campaign_id: id };
  const put = async (next: Campaign['status']) => {
    const { campaign: now } = await call('getCampaign', { params });
    const query = { expectedVersion: now.updatedAt };
    await call('replaceCampaign', { params, query, body: { ...readBody(now), status: next } });
    await refresh(campaignReads);
  };
  const archive = async () => {
    setBusy(true);
    try {
      await put('archived');
      toast({ text: t('{title} was archived', { title }), undo: () => put(status) });
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
    } finally {
      setBusy(false);
    }
  };
  const deletion = {
    input: { params },
    name: title,
    consequence: t(
      'The campaign with its owner, due date and description. The scorecard, its results and the entities stay. This cannot be undone; an archived campaign can be looked at later.',
    ),
    button: t('Delete campaign'),
  };
  return (
    <>
      {status !== 'archived' && (
        <Button variant="default" loading={isBusy} data-operation="replaceCampaign" onClick={() => void archive()}>
          {t('Archive')}
        </Button>
      )}
      <Button variant="default" loading={remove.isPending} onClick={() => void remove.ask(deletion)}>
        {t('Delete')}
      </Button>
    </>
  );
}
