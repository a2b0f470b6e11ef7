import { TextInput } from '@mantine/core';
import { keyFor } from '../kit/json-value.ts';
import { type Issue, issueAt } from '../kit/refusal.ts';
import { t } from '../kit/translate.ts';

export interface Naming {
  readonly identifier: string;
  readonly title?: string;
}

/** Title and identifier of something that may be new; then the identifier follows the title until it is typed. */
export function NamingFields({
  title,
  identifier,
  isNew,
  hint,
  issues,
  onChange,
}: {
  title: string | null | undefined;
  identifier: string;
  isNew: boolean;
  /** An example of a good title. */
  hint?: string;
  issues: readonly Issue[];
  onChange: (changed: Partial<Naming>) => void;
}) {
  const follows = isNew && identifier === keyFor(title ?? '');
  return (
    <>
      <TextInput
        label={t('Title')}
        description={hint}
        value={title ?? ''}
        error={issueAt(issues, 'title')}
        onChange={({ currentTarget: { value } }) =>
          onChange({ title: value, ...(follows ? { identifier: keyFor(value) } : {}) })
        }
      />
      <TextInput
        label={t('Identifier')}
        description={isNew ? t('What the API and Terraform call it') : t('Another one renames it')}
        required
        withAsterisk={false}
        value={identifier}
        error={issueAt(issues, 'identifier')}
        onChange={({ currentTarget }) => onChange({ identifier: currentTarget.value })}
      />
    </>
  );
}
