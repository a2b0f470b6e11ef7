import { Badge, Button, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useSetUrl, useUrlState } from '../../frame/url-state.ts';
import { t } from '../../kit/translate.ts';
import { Conversation } from '../../parts/ai/conversation.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import classes from './assistant.module.css';
import { ConversationList } from './conversation-list.tsx';
import { ConversationMenu } from './conversation-menu.tsx';
import { useStarters } from './starters.ts';

/** The assistant as a page: the conversations of the person, and the one that is shown. */
export function Screen() {
  const [shown] = useUrlState('/ai', 'c');
  const [leaf] = useUrlState('/ai', 'leaf');
  const setUrl = useSetUrl();
  const starters = useStarters();
  const show = (c: string | undefined, branch?: string) => setUrl({ c, leaf: branch });
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
          shown !== undefined && (
            <>
              <ConversationMenu id={shown} onGone={() => show(undefined)} />
              <Button variant="default" leftSection={<Plus size={16} />} onClick={() => show(undefined)}>
                {t('New conversation')}
              </Button>
            </>
          )
        }
      />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Conversation
            conversation={shown}
            leaf={leaf}
            onShow={show}
            starters={starters}
            place="page"
            intro={
              <Text c="dimmed">{t('Ask in your own words. Nothing is changed unless you allow actions below.')}</Text>
            }
          />
        </div>
        <ConversationList onShow={show} shown={shown} />
      </div>
    </>
  );
}
