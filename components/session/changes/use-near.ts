import { type RefObject, useEffect, useState } from "react";

/** How far from what is in view an element counts as near. */
const NEAR = "600px";

/**
 * Whether an element has been in view in the box that scrolls it, or near that: from then on it stays so. The box has to
 * be named: from the page's own edges nothing is near that a box within it cuts off.
 */
export function useNear(element: RefObject<Element | null>, box: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !element.current) return;
    // A page that was busy is told several times at once, of an element that came near of its being far before, too.
    const observer = new IntersectionObserver(
      (told) => told.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { root: box.current, rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [near, element, box]);
  return near;
}
