import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { ButtonLink } from '../frame/links.tsx';
import { useTitle } from '../frame/title.ts';

/** For unknown addresses, and for things the user may not know of. */
export function NotFound() {
  useTitle('Not found');
  return (
    <Stack align="flex-start" p="lg" maw={640}>
      <Title order={1}>There is nothing here</Title>
      <Text>The address is wrong, what was here is gone, or it is not for you.</Text>
      <Group>
        <ButtonLink to="/">Go to Home</ButtonLink>
        <Button variant="default" onClick={() => history.back()}>
          Go back
        </Button>
      </Group>
    </Stack>
  );
}
