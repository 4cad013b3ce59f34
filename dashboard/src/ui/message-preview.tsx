/** Mail as a reader sees it: on a desktop or a phone, light or dark, with pictures of other hosts when they are asked for. */
import { useState } from 'react';
import { useChoice } from '../app/choice.ts';
import { Button } from './button.tsx';
import { wantsForeignImages } from './foreign-images.ts';
import { MessageFrame, type PickedPlace } from './message-frame.tsx';
import { Segments } from './tabs.tsx';

export type Shape = 'desktop' | 'phone';
export type Colours = 'light' | 'dark';

export const SHAPES = [
  { key: 'desktop', label: 'Desktop' },
  { key: 'phone', label: 'Phone' },
] as const;

export const COLOURS = [
  { key: 'light', label: 'Light' },
  { key: 'dark', label: 'Dark' },
] as const;

interface Props {
  readonly html: string;
  readonly title: string;
}

/** With its own switches, which stand in the address. */
export function MessagePreview({ html, title }: Props) {
  const [shape, setShape] = useChoice<Shape>('width', SHAPES, 'desktop');
  const [colours, setColours] = useChoice<Colours>('colours', COLOURS, 'light');
  return (
    <>
      <div className="preview-bar">
        <Segments label="Width" options={SHAPES} chosen={shape} onChoose={setShape} />
        <Segments label="Colours" options={COLOURS} chosen={colours} onChoose={setColours} />
      </div>
      <MessageView html={html} title={title} shape={shape} colours={colours} />
    </>
  );
}

interface ViewProps extends Props {
  readonly shape: Shape;
  readonly colours: Colours;
  readonly onPick?: (place: PickedPlace) => void;
}

export function MessageView({ html, title, shape, colours, onPick }: ViewProps) {
  const [images, setImages] = useState(false);
  return (
    <>
      <MessageFrame
        html={html}
        title={title}
        phone={shape === 'phone'}
        dark={colours === 'dark'}
        images={images}
        onPick={onPick}
      />
      {wantsForeignImages(html) ? <ImagesNote loaded={images} onLoad={() => setImages(true)} /> : null}
    </>
  );
}

function ImagesNote({ loaded, onLoad }: { readonly loaded: boolean; readonly onLoad: () => void }) {
  if (loaded) return <p className="small quiet card-body">Images from other hosts are shown.</p>;
  return (
    <div className="card-body stack-small">
      <p className="small quiet">
        Images from other hosts are not loaded here. If you load them, those hosts learn your IP address and
        that somebody read the message, and a tracking pixel counts an open.
      </p>
      <div>
        <Button size="small" onClick={onLoad}>
          Load the images
        </Button>
      </div>
    </div>
  );
}
