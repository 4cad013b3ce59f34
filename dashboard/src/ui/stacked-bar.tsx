/** One bar of a chart, made of parts that stand on each other. */
interface StackedBarProps {
  /** From the bottom up; `kind` is the class that colours it. */
  readonly parts: readonly { readonly kind: string; readonly size: number }[];
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
}

export function StackedBar({ parts, x, width, y }: StackedBarProps) {
  const gap = Math.min(6, width * 0.2);
  let top = 0;
  return (
    <g>
      {parts.map(({ kind, size }) => {
        const from = top;
        top += size;
        return size > 0 ? (
          <rect
            key={kind}
            className={kind}
            x={x + gap / 2}
            width={Math.max(1, width - gap)}
            y={y(top)}
            height={y(from) - y(top)}
            rx={2}
          />
        ) : null;
      })}
    </g>
  );
}
