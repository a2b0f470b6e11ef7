import { Button, FileButton, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import classes from './imports.module.css';

/** Takes files that are dropped on it or chosen. */
export function DropZone({
  text,
  button,
  accept,
  isReading,
  onFiles,
}: {
  text: string;
  button: string;
  accept: string;
  isReading: boolean;
  onFiles: (files: readonly File[]) => void;
}) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Text>{text}</Text>
      <FileButton multiple onChange={onFiles} accept={accept}>
        {(props) => (
          <Button {...props} loading={isReading}>
            {button}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
