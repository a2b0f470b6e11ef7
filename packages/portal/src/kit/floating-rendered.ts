export { HoverCard, Menu, Popover, Tooltip } from '@mantine/core';
