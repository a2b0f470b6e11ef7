import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { ButtonLink } from '../frame/links.tsx';
import { useTitle } from '../frame/title.ts';
import { t } from './translate.ts';

/** For unknown addresses, and for things the user may not know of. */
export function NotFound() {
  useTitle(t('Not found'));
  return (
    <Stack align="flex-start" p="lg" maw={640}>
      <Title order={1}>{t('There is nothing here')}</Title>
      <Text>{t('The address is wrong, what was here is gone, or it is not for you.')}</Text>
      <Group>
        <ButtonLink to="/">{t('Go to Home')}</ButtonLink>
        <Button variant="default" onClick={() => history.back()}>
          {t('Go back')}
        </Button>
      </Group>
    </Stack>
  );
}
