import { Alert, Code } from '@mantine/core';
import { t } from '../../kit/translate.ts';

interface RefusedEntity {
  readonly identifier: string;
  readonly message: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[] | undefined;
}

/** Entities that were or would be refused, grouped by reason. */
export function RefusedEntities({ errors, title }: { errors: readonly RefusedEntity[]; title: string }) {
  const byMessage = new Map<string, RefusedEntity[]>();
  for (const refused of errors) {
    const { message, details } = refused;
    const said = [message, ...(details ?? []).map((each) => `${each.path} ${each.message}`)].join('; ');
    byMessage.set(said, [...(byMessage.get(said) ?? []), refused]);
  }
  return (
    <Alert color="red" title={title}>
      <ul>
        {[...byMessage].map(([message, refused]) => (
          <li key={message}>
            {message}
            <br />
            {refused.slice(0, 20).map(({ identifier }) => (
              <span key={identifier}>
                <Code>{identifier}</Code>{' '}
              </span>
            ))}
            {refused.length > 20 && t('and {value} more', { value: refused.length - 20 })}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
