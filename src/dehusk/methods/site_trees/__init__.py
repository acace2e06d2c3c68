"""Methods that compare the pages of a site element by element: the same template position has the same key on each."""
