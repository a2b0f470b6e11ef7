import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useUrlState } from '../../frame/url-state.ts';
import { t } from '../../kit/translate.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { emptyDraft, scorecardAddress } from './scorecard-draft.ts';
import { ScorecardEditor } from './scorecard-editor.tsx';

/** A new scorecard, tried on real entities while it is written. */
export function Screen() {
  const [blueprint = '', setBlueprint] = useUrlState('/builder/new-scorecard', 'blueprint');
  const [saved, setSaved] = useState<string>();
  const navigate = useNavigate();
  const { permits } = useOffers('_scorecard');
  // after the draft is clean, so that nobody is asked about leaving it
  useEffect(() => {
    if (saved !== undefined) void navigate(scorecardAddress(blueprint, saved));
  }, [saved, blueprint, navigate]);
  return (
    <>
      <PageHeader
        title={t('New scorecard')}
        trail={[{ to: '/builder/scorecards', label: t('Scorecards') }]}
        description={t('Write rules and see at once who meets them. Nothing is measured until you save.')}
      />
      <ReadOnly permit={permits.register} to={t('create scorecards')}>
        <ScorecardEditor
          isNew
          blueprint={blueprint}
          latest={emptyDraft}
          onBlueprint={setBlueprint}
          onSaved={({ identifier }) => setSaved(identifier)}
        />
      </ReadOnly>
    </>
  );
}
