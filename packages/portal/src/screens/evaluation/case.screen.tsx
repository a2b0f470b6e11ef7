import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useParam } from '../../frame/url-state.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { CaseForm, toCaseValues } from './case-form.tsx';
import { caseParams } from './evaluation-reads.ts';

export function Screen() {
  const id = useParam('case');
  const navigate = useNavigate();
  const params = { ...caseParams, entity_identifier: id };
  const read = useRead('getEntity', { params });
  const { permits } = useOffers('ai_eval_case', id);
  return (
    <Reading of={read} isScreen>
      {({ entity }) => (
        <>
          <PageHeader
            title={entity.title || id}
            trail={[{ to: '/ai/evaluation', label: t('Evaluation') }]}
            description={<EntityAnchor blueprint="ai_eval_case" identifier={id} title={t('As an entity')} />}
          />
          <ReadOnly permit={permits.edit} to={t('edit cases')}>
            <CaseForm
              initial={toCaseValues(entity)}
              isNew={false}
              verb={t('Save')}
              send={({ identifier: _, relations, properties, ...body }) =>
                call('patchEntity', {
                  params,
                  // what was taken out of the form is taken out of the case
                  body: {
                    ...body,
                    properties: { setup: null, ...properties } as never,
                    relations: { agent: relations.agent ?? null },
                  },
                })
              }
              onSaved={() => void navigate({ to: '/ai/evaluation', search: { view: 'cases' } })}
            />
          </ReadOnly>
        </>
      )}
    </Reading>
  );
}
