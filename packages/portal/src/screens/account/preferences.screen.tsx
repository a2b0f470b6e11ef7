import { Button, Radio, Stack, Switch, Title } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { useChange, useRead } from '../../api/query.ts';
import { hasSingleKeys, setSingleKeys } from '../../frame/keys.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { chooseLanguage, type LanguageChoice, languageChoice, languages } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import {
  chooseTheme,
  onThemeChoice,
  type ThemeChoice,
  themeChoice,
  themeChoices,
  themeNames,
} from '../../theme/color-scheme.ts';
import { ChangePassword } from './change-password.tsx';

export function Screen() {
  const theme = useSyncExternalStore(onThemeChoice, themeChoice);
  const [areSinglesOn, setSinglesOn] = useState(hasSingleKeys);
  return (
    <Stack gap="xl" maw={720}>
      <PageHeader title={t('Preferences')} />
      <Radio.Group label={t('Theme')} value={theme} onChange={(value) => chooseTheme(value as ThemeChoice)}>
        <Stack gap="xs" mt="xs">
          {themeChoices.map((value) => (
            <Radio key={value} value={value} label={themeNames[value]} />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group
        label={t('Language')}
        description={t('Texts that the server writes, and what people wrote, stay as they are.')}
        value={languageChoice()}
        onChange={(value) => chooseLanguage(value as LanguageChoice)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="auto" label={t('Same as browser')} />
          {Object.entries(languages).map(([value, { title }]) => (
            <Radio key={value} value={value} label={<span lang={value}>{title}</span>} />
          ))}
        </Stack>
      </Radio.Group>
      <Switch
        label={t('Shortcuts of single keys')}
        description={t('Those without Ctrl or ⌘. They never act while you type.')}
        checked={areSinglesOn}
        onChange={({ currentTarget }) => {
          setSingleKeys(currentTarget.checked);
          setSinglesOn(currentTarget.checked);
        }}
      />
      <ChangePassword />
      <Sessions />
    </Stack>
  );
}

function Sessions() {
  const sessions = useRead('listSessions');
  const revoke = useChange('revokeSession', { staleAfter: ['listSessions'] });
  const attempt = useAttempt();
  const end = (id: string) =>
    attempt(() => revoke.mutateAsync({ params: { session_id: id } }), t('The session has ended'));
  return (
    <section aria-labelledby="sessions">
      <Title order={2} id="sessions" mb="sm">
        {t('Where you are signed in')}
      </Title>
      <Reading of={sessions}>
        {({ sessions: list }) => (
          <ul className={surfaces.list}>
            {list.map((session) => (
              <li key={session.id} className={surfaces.item}>
                <div>
                  <strong>{session.isCurrent ? t('This browser') : session.address}</strong>
                  <div className={surfaces.detail}>
                    <Sentence
                      text="{userAgent} · seen <time/>"
                      values={{ userAgent: session.userAgent.slice(0, 120) }}
                      parts={{ time: <RelativeTime at={session.lastSeenAt} /> }}
                    />
                  </div>
                </div>
                {!session.isCurrent && (
                  <Button size="xs" variant="default" onClick={() => void end(session.id)}>
                    {t('End session')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Reading>
    </section>
  );
}
