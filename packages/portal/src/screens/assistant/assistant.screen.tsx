import { Badge, Button, Text, Title } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { Conversation } from '../../parts/ai/conversation.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import classes from './assistant.module.css';
import { useStarters } from './starters.ts';

/** The assistant as a page: earlier questions and the conversation. */
export function Screen() {
  const [shown, show] = useUrlState('/ai', 'c');
  const ids = useMemo(
    () =>
      String(shown ?? '')
        .split(',')
        .filter(Boolean),
    [shown],
  );
  const starters = useStarters();
  return (
    <>
      <PageHeader
        title={t('Assistant')}
        description={
          <>
            <Badge variant="light" size="sm" me={8} tt="none">
              {t('Open beta')}
            </Badge>
            {t('Answers from the catalog with your rights, and shows its sources.')}
          </>
        }
        actions={
          ids.length > 0 && (
            <Button
              variant="default"
              leftSection={<Plus size={16} />}
              onClick={() => show(undefined, { isStep: true })}
            >
              {t('New conversation')}
            </Button>
          )
        }
      />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Conversation
            ids={ids}
            onIds={(all) => show(all.join(','))}
            starters={starters}
            place="page"
            intro={
              <Text c="dimmed">{t('Ask in your own words. Nothing is changed unless you allow actions below.')}</Text>
            }
          />
        </div>
        <History onShow={(id) => show(id, { isStep: true })} shown={ids} />
      </div>
    </>
  );
}

/** The user's earlier questions, wherever they were asked. */
function History({ onShow, shown }: { onShow: (id: string) => void; shown: readonly string[] }) {
  const { user } = useSession();
  const mine = useRead('listInvocations', { query: { limit: 20, user: user?.email ?? '' } }, { isOn: user !== null });
  return (
    <aside className={classes.history} aria-labelledby="asked-before">
      <Title order={2} size="h4" id="asked-before" mb="xs">
        {t('Asked before')}
      </Title>
      <Reading of={mine}>
        {({ invocations }) =>
          invocations.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t('Your questions appear here.')}
            </Text>
          ) : (
            <ul className={classes.list}>
              {invocations.map(({ identifier, prompt, askedAt, status }) => (
                <li key={identifier}>
                  <button
                    type="button"
                    className={classes.entry}
                    aria-current={shown.includes(identifier) || undefined}
                    onClick={() => onShow(identifier)}
                  >
                    <span className={classes.asked} dir="auto">
                      {prompt}
                    </span>
                    <span className={classes.when}>
                      <RelativeTime at={askedAt} />
                      {status !== 'Completed' && ` · ${status}`}
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
