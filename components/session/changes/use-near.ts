import { type RefObject, useEffect, useState } from "react";

/** How far from the screen an element counts as near: less than one draws before a reader scrolls there. */
const NEAR = "600px";

/** Whether an element has been on screen, or near it: from then on it stays so. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !element.current) return;
    // A page that was busy is told several times at once, of an element that came near of its being far before, too.
    const observer = new IntersectionObserver(
      (told) => told.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [near, element]);
  return near;
}
