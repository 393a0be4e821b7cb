// The best sum that ends at each value: either the value alone, or the best sum that ends before it and the value.
class Solution {
public:
    int FUNCTION(vector<int>& values) {
        int best = values[0], endingHere = values[0];
        for (size_t i = 1; i < values.size(); i++) {
            endingHere = max(values[i], endingHere + values[i]);
            best = max(best, endingHere);
        }
        return best;
    }
};
