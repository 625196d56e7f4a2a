/** How many frames a line may send. On real time, as heartbeats are. https://docs.discord.com/developers/events/gateway#rate-limiting */
const FRAMES = 120;
const WINDOW = 60_000;

/** Counts one frame of a line; says whether it was one too many. */
export function openPace(): (line: object) => boolean {
  const windows = new WeakMap<object, { readonly since: number; frames: number }>();
  return (line) => {
    const now = performance.now();
    const before = windows.get(line);
    const window = before !== undefined && now - before.since < WINDOW ? before : { since: now, frames: 0 };
    window.frames += 1;
    windows.set(line, window);
    return window.frames > FRAMES;
  };
}
