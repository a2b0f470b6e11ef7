import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { EmptyState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { newDraft } from './campaign-draft.ts';
import { CampaignForm } from './campaign-form.tsx';
import { campaignAddress } from './campaign-words.ts';

const path = '/builder/new-campaign';

/** A new campaign, of the scorecard that the address names if there is one. */
export function Screen() {
  const [blueprint] = useUrlState(path, 'blueprint');
  const [scorecard] = useUrlState(path, 'scorecard');
  const read = useRead('listAllScorecards');
  const [saved, setSaved] = useState<string>();
  const navigate = useNavigate();
  const { permits } = useOffers('_scorecard');
  // after the form is clean, so that nobody is asked about leaving it
  useEffect(() => {
    if (saved !== undefined) void navigate(campaignAddress(saved));
  }, [saved, navigate]);
  return (
    <>
      <PageHeader
        title={t('New campaign')}
        trail={[
          { to: '/builder/scorecards', label: t('Scorecards') },
          { to: '/builder/campaigns', label: t('Campaigns') },
        ]}
        description={t('Bring entities to a level, or past rules, by a date. Teams see what is left on Home.')}
      />
      <Reading of={read}>
        {({ scorecards }) =>
          scorecards.length === 0 ? (
            <EmptyState
              title={t('No scorecards yet')}
              action={
                <ButtonLink to="/builder/new-scorecard" size="sm">
                  {t('New scorecard')}
                </ButtonLink>
              }
            >
              {t('A campaign is about the levels or rules of a scorecard.')}
            </EmptyState>
          ) : (
            <ReadOnly permit={permits.register} to={t('start campaigns')}>
              <CampaignForm
                initial={newDraft(
                  new Date(),
                  scorecards.find((each) => each.blueprint === blueprint && each.identifier === scorecard),
                )}
                scorecards={scorecards}
                onSaved={({ id }) => setSaved(id)}
              />
            </ReadOnly>
          )
        }
      </Reading>
    </>
  );
}
