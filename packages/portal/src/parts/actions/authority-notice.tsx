import { Alert } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';

/** Warns about an action whose last author was removed or disabled, or who saved it with a restricted token. */
export function AuthorityNotice({ authority }: { authority: AnswerOf<'getAction'>['authority'] | undefined }) {
  if (authority === null) {
    return (
      <Alert color="yellow" mb="md" title="Nobody stands behind it any more">
        Whoever saved it last was removed or disabled, so its runs fail. Save it again, and it runs with your rights.
      </Alert>
    );
  }
  if (!authority?.scopes) return null;
  return (
    <Alert color="gray" mb="md" title="It was saved with a restricted token">
      It does no more in this organization than that token may: {authority.scopes.join(', ') || 'nothing'}. Save it
      again, and it runs with your rights.
    </Alert>
  );
}
