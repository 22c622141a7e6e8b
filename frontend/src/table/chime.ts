/**
 * A few soft tones, as at a railway station. Safari lets a page sound only by what was started while its reader did
 * something: what the tones come from is started then, and rests until they are wanted.
 */

/** Tones that could not begin within this time are not made up for, and so long after them all rests. In milliseconds. */
const LATE = 1000;
const REST = 1500;

/** Pitches: two when the turn comes, more when a game ends. */
const TURN = [659.25, 523.25];
export const ARRIVAL = [523.25, 659.25, 783.99, 1046.5];

let context: AudioContext | null = null;
let free = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** From now on, what the reader does lets the page sound later, if that is `wanted`. */
export function startChime(wanted: () => boolean): void {
  for (const name of ["pointerup", "keydown"]) {
    document.addEventListener(name, () => {
      if (!free && wanted()) void wake();
    });
  }
}

export async function chime(pitches: readonly number[] = TURN): Promise<void> {
  const asked = Date.now();
  const awake = await wake();
  if (Date.now() - asked > LATE) return;
  pitches.forEach((pitch, number) => {
    const start = awake.currentTime + number * 0.22;
    const tone = awake.createOscillator();
    const volume = awake.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.12, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
    tone.connect(volume).connect(awake.destination);
    tone.start(start);
    tone.stop(start + 0.55);
  });
}

async function wake(): Promise<AudioContext> {
  const woken = (context ??= new AudioContext());
  clearTimeout(timer);
  await woken.resume();
  free = true;
  clearTimeout(timer);
  timer = setTimeout(() => void woken.suspend(), REST);
  return woken;
}
