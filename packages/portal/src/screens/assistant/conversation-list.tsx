import { Text, Title } from '@mantine/core';
import { Pin } from 'lucide-react';
import { useRead } from '../../api/query.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import classes from './assistant.module.css';

/** The person's conversations: pinned ones first, then the latest. */
export function ConversationList({
  onShow,
  shown,
}: {
  onShow: (conversation: string) => void;
  shown: string | undefined;
}) {
  const own = useRead('listConversations', { query: { limit: 50 } });
  return (
    <aside className={classes.history} aria-labelledby="conversations">
      <Title order={2} size="h4" id="conversations" mb="xs">
        {t('Conversations')}
      </Title>
      <Reading of={own}>
        {({ conversations }) =>
          conversations.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t('Your conversations appear here.')}
            </Text>
          ) : (
            <ul className={classes.list}>
              {[...conversations]
                .sort((a, b) => Number(b.pinned) - Number(a.pinned))
                .map(({ identifier, title, askedAt, pinned, running }) => (
                  <li key={identifier}>
                    <button
                      type="button"
                      className={classes.entry}
                      aria-current={shown === identifier || undefined}
                      onClick={() => onShow(identifier)}
                    >
                      <span className={classes.asked} dir="auto">
                        {pinned && <Pin size={12} aria-label={t('Pinned')} />} {title}
                      </span>
                      <span className={classes.when}>
                        <RelativeTime at={askedAt} />
                        {running && ` · ${t('is being answered')}`}
                      </span>
                    </button>
                  </li>
                ))}
            </ul>
          )
        }
      </Reading>
    </aside>
  );
}
