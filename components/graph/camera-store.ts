import type { Camera, Size } from "./graph-camera";

/** Where the graph's picture looks: it changes with every frame of a drag, so it is kept out of React's tree. */
export class CameraStore {
  private readonly listeners = new Set<() => void>();
  camera: Camera = { x: 0, y: 0, scale: 1 };
  size: Size = { width: 0, height: 0 };

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  set(camera: Camera, size: Size = this.size): void {
    this.camera = camera;
    this.size = size;
    for (const listener of [...this.listeners]) listener();
  }
}
