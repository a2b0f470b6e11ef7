import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { useParam } from '../../frame/url-state.ts';
import { identifierFrom } from '../../kit/identifier-from.ts';
import { Reading } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import type { Field } from '../../parts/entities/fields.ts';
import { useOffers } from '../../parts/entities/rights.ts';
import { useFields } from '../../parts/entities/use-fields.ts';
import { entityAddress } from '../../parts/entity-anchor.tsx';
import { EntityForm } from '../../parts/entity-form/entity-form.tsx';
import { type FormValues, toEntityParts, toFormValues } from '../../parts/entity-form/form-values.ts';
import { PageHeader } from '../../parts/page-header.tsx';

const CreatingForms = lazy(async () => ({
  default: (await import('../../parts/workflows/creating-forms.tsx')).CreatingForms,
}));

export function Screen() {
  const blueprint = useParam('blueprint');
  const { read, fields } = useFields(blueprint);
  return (
    <Reading of={read} isScreen>
      {({ blueprint: { title, icon, description } }) => (
        <>
          <PageHeader
            title={t('New {title}', { title: title.toLowerCase() })}
            icon={icon ?? ''}
            description={description}
          />
          <Suspense fallback={null}>
            <CreatingForms blueprint={blueprint} />
          </Suspense>
          {fields && <NewForm blueprint={blueprint} fields={fields} />}
        </>
      )}
    </Reading>
  );
}

function NewForm({ blueprint, fields }: { blueprint: string; fields: readonly Field[] }) {
  const [values, setValues] = useState<FormValues>(() => toFormValues(undefined, fields));
  // undefined: the identifier follows the title until the user types one
  const [typed, setTyped] = useState<string>();
  const identifier = typed ?? identifierFrom(String(values['$title'] ?? '')).replaceAll('_', '-');
  const { permits } = useOffers(blueprint);
  const navigate = useNavigate();
  const refresh = useRefresh();
  const toast = useToast();
  const save = async () => {
    const answer = await call('createEntity', {
      params: { blueprint_identifier: blueprint },
      body: { ...(identifier.trim() ? { identifier: identifier.trim() } : {}), ...toEntityParts(values, fields) },
    });
    await refresh(['searchBlueprintEntities', 'countEntities', 'groupBlueprintEntities']);
    const made = answer.entity?.identifier ?? identifier;
    toast(t('{title} was created', { title: answer.entity?.title || made }));
    await navigate(entityAddress(blueprint, made));
  };
  return (
    <ReadOnly permit={permits.register} to={t('create this entity')}>
      <EntityForm
        fields={fields}
        values={values}
        onChange={setValues}
        identifier={identifier}
        onIdentifier={setTyped}
        onSave={save}
        onCancel={() => history.back()}
        verb={t('Create')}
      />
    </ReadOnly>
  );
}
