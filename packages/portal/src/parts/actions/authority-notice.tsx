import { Alert } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

/** Warns about an action whose last author was removed or disabled, or who saved it with a restricted token. */
export function AuthorityNotice({ authority }: { authority: AnswerOf<'getAction'>['authority'] | undefined }) {
  if (authority === null) {
    return (
      <Alert color="yellow" mb="md" title={t('Nobody stands behind it any more')}>
        {t(
          'The person who saved it last was removed or disabled, so its runs fail. Save again to run it with your rights.',
        )}
      </Alert>
    );
  }
  if (!authority?.scopes) return null;
  return (
    <Alert color="gray" mb="md" title={t('Saved with a restricted token')}>
      {t('Limited to what that token may do: {scopes}. Save it again, and it runs with your rights.', {
        scopes: authority.scopes.join(', ') || t('nothing'),
      })}
    </Alert>
  );
}
